package io.angarium.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** An image that is read, and its layers unpacked one above the other. */
final class UnpackedImage {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int EXECUTE = 0111;

  private final Map<String, byte[]> files = new HashMap<>();

  private UnpackedImage() {}

  static UnpackedImage read(Path tar) throws IOException {
    UnpackedImage image = new UnpackedImage();
    try (InputStream from = Files.newInputStream(tar);
        TarArchiveInputStream in = new TarArchiveInputStream(from)) {
      for (TarArchiveEntry each = in.getNextEntry(); each != null; each = in.getNextEntry()) {
        image.files.put(each.getName(), in.readAllBytes());
      }
    }
    return image;
  }

  Map<String, byte[]> files() {
    return files;
  }

  JsonNode json(String name) throws IOException {
    return JSON.readTree(files.get(name));
  }

  JsonNode blob(JsonNode descriptor) throws IOException {
    return json(path(descriptor));
  }

  static String path(JsonNode descriptor) {
    return "blobs/" + descriptor.path("digest").asText().replace(':', '/');
  }

  JsonNode manifest() throws IOException {
    return blob(json("index.json").path("manifests").path(0));
  }

  JsonNode config() throws IOException {
    return blob(manifest().path("config"));
  }

  /** The entries of each layer, the lowest first. */
  List<List<TarArchiveEntry>> layers() throws IOException {
    List<List<TarArchiveEntry>> layers = new ArrayList<>();
    for (JsonNode layer : manifest().path("layers")) {
      List<TarArchiveEntry> entries = new ArrayList<>();
      try (TarArchiveInputStream in = open(layer)) {
        for (TarArchiveEntry each = in.getNextEntry(); each != null; each = in.getNextEntry()) {
          entries.add(each);
        }
      }
      layers.add(entries);
    }
    return layers;
  }

  TarArchiveInputStream open(JsonNode layer) throws IOException {
    return new TarArchiveInputStream(
        new GZIPInputStream(new ByteArrayInputStream(files.get(path(layer)))));
  }

  /** Unpacks it; folders and programs are open to all, so that another user can start it. */
  void unpack(Path root) throws IOException {
    for (JsonNode layer : manifest().path("layers")) {
      try (TarArchiveInputStream in = open(layer)) {
        for (TarArchiveEntry each = in.getNextEntry(); each != null; each = in.getNextEntry()) {
          Path path = root.resolve(each.getName());
          if (each.isDirectory()) {
            Files.createDirectories(path);
          } else {
            Files.createDirectories(path.getParent());
            Files.copy(in, path);
          }
          boolean program = each.isDirectory() || (each.getMode() & EXECUTE) != 0;
          Files.setPosixFilePermissions(path, permissions(program ? "rwxr-xr-x" : "rw-r--r--"));
        }
      }
    }
    for (String each : List.of("tmp", "angarium/angarium-data")) {
      Files.setPosixFilePermissions(root.resolve(each), permissions("rwxrwxrwx"));
    }
  }

  private static Set<PosixFilePermission> permissions(String text) {
    return PosixFilePermissions.fromString(text);
  }
}
