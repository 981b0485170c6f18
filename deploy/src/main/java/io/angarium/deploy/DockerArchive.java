package io.angarium.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * An image in the layout of OCI with the list that Docker reads besides: without its containerd
 * store, it loads nothing else.
 */
final class DockerArchive {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BLOBS = "blobs/sha256/";
  private static final int SMALL_BYTES_MAX = 1 << 20;

  private DockerArchive() {}

  /** Adds the list to a tar file in the layout of OCI. */
  static void write(Path layout, String name, Path output) throws IOException {
    Map<String, byte[]> small = new HashMap<>();
    Path part = output.resolveSibling(output.getFileName() + ".part");
    try (InputStream from = Files.newInputStream(layout);
        TarArchiveInputStream in = new TarArchiveInputStream(from);
        OutputStream to = Files.newOutputStream(part);
        TarArchiveOutputStream out = new TarArchiveOutputStream(to)) {
      for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        if (entry.getSize() <= SMALL_BYTES_MAX) {
          byte[] content = in.readAllBytes();
          small.put(entry.getName(), content);
          put(out, entry.getName(), content);
        } else {
          TarArchiveEntry copy = new TarArchiveEntry(entry.getName());
          copy.setSize(entry.getSize());
          copy.setModTime(0);
          out.putArchiveEntry(copy);
          in.transferTo(out);
          out.closeArchiveEntry();
        }
      }
      put(out, "manifest.json", list(small, name));
    }
    Files.move(part, output, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void put(TarArchiveOutputStream out, String name, byte[] content)
      throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(content.length);
    entry.setModTime(0);
    out.putArchiveEntry(entry);
    out.write(content);
    out.closeArchiveEntry();
  }

  private static byte[] list(Map<String, byte[]> small, String name) throws IOException {
    JsonNode index = json(small, "index.json");
    JsonNode manifest = json(small, blob(index.path("manifests").path(0)));
    ArrayNode images = JSON.createArrayNode();
    ObjectNode image = images.addObject().put("Config", blob(manifest.path("config")));
    image.putArray("RepoTags").add(name);
    ArrayNode layers = image.putArray("Layers");
    manifest.path("layers").forEach(each -> layers.add(blob(each)));
    return JSON.writeValueAsBytes(images);
  }

  private static JsonNode json(Map<String, byte[]> small, String name) throws IOException {
    byte[] content = small.get(name);
    if (content == null) {
      throw new ImageException("The image has no " + name + ", but " + small.keySet());
    }
    return JSON.readTree(content);
  }

  private static String blob(JsonNode descriptor) {
    return BLOBS + descriptor.path("digest").asText().replaceFirst("^sha256:", "");
  }
}
