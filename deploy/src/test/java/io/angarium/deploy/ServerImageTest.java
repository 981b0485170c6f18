package io.angarium.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image as it is made, read, and started. */
class ServerImageTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final long BYTES_MAX = 110L << 20;
  private static final long OWN_LAYER_BYTES_MAX = 4L << 20;
  private static final int TERMINATED = 143;
  private static final String KEY = "a-key-for-tests";

  @TempDir private static Path folder;

  private static Path tar;
  private static String digest;
  private static UnpackedImage image;

  @TempDir private Path work;

  @BeforeAll
  static void make() throws IOException {
    tar = folder.resolve("image.tar");
    digest = image().write(tar, Files.createDirectory(folder.resolve("work")));
    image = UnpackedImage.read(tar);
  }

  private static ServerImage image() {
    return new ServerImage(StopTimes.ROOT, false, ServerImage.nameByDefault());
  }

  private static String sha256(byte[] content) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }

  @Test
  void everyDigestIsThatOfItsContent() throws Exception {
    JsonNode manifest = image.manifest();

    assertThat(image.json("index.json").path("manifests").path(0).path("digest").asText())
        .isEqualTo(digest);
    for (Map.Entry<String, byte[]> each : image.files().entrySet()) {
      if (each.getKey().startsWith("blobs/sha256/")) {
        assertThat(each.getKey()).endsWith(sha256(each.getValue()));
      }
    }
    assertThat(manifest.path("mediaType").asText())
        .isEqualTo("application/vnd.oci.image.manifest.v1+json");
    assertThat(manifest.path("layers"))
        .hasSize(4)
        .allSatisfy(
            layer ->
                assertThat(layer.path("mediaType").asText())
                    .isEqualTo("application/vnd.oci.image.layer.v1.tar+gzip"));
    assertThat(image.json("oci-layout").path("imageLayoutVersion").asText()).isEqualTo("1.0.0");
  }

  @Test
  void dockerFindsTheSameLayersByItsOwnList() throws IOException {
    JsonNode list = image.json("manifest.json").path(0);
    List<String> layers = new ArrayList<>();
    image.manifest().path("layers").forEach(each -> layers.add(UnpackedImage.path(each)));

    assertThat(list.path("RepoTags").path(0).asText()).isEqualTo(ServerImage.nameByDefault());
    assertThat(list.path("Config").asText())
        .isEqualTo(UnpackedImage.path(image.manifest().path("config")));
    assertThat(list.path("Layers")).extracting(JsonNode::asText).isEqualTo(layers);
  }

  @Test
  void serverIsStartedWithoutAShellAndNotByRoot() throws IOException {
    JsonNode config = image.config().path("config");

    assertThat(config.path("User").asText()).isEqualTo("65532:65532");
    assertThat(config.path("Entrypoint"))
        .extracting(JsonNode::asText)
        .isEqualTo(ServerImage.entryPoint())
        .contains("-XX:+ExitOnOutOfMemoryError");
    assertThat(config.path("Env").toString()).contains("JDK_JAVA_OPTIONS=-Xmx512m");
    assertThat(config.path("ExposedPorts").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("8090/tcp", "9090/tcp");
    assertThat(config.path("WorkingDir").asText()).isEqualTo("/angarium");
    assertThat(image.config().path("os").asText()).isEqualTo("linux");
  }

  @Test
  void changeOfOursReplacesASmallLayer() throws IOException {
    List<List<TarArchiveEntry>> layers = image.layers();

    assertThat(names(layers.get(0))).contains("tmp/", "etc/passwd").doesNotContain("bin/");
    assertThat(names(layers.get(1))).allMatch(each -> each.startsWith("opt/"));
    assertThat(names(layers.get(2)))
        .contains("angarium/lib/")
        .noneMatch(each -> each.contains("/angarium-"));
    assertThat(names(layers.get(3)))
        .contains("angarium/server/angarium-server.jar", "angarium/class-path")
        .noneMatch(each -> each.startsWith("angarium/lib/"));
    assertThat(image.manifest().path("layers").path(3).path("size").asLong())
        .isLessThan(OWN_LAYER_BYTES_MAX);
    assertThat(Files.size(tar)).isLessThan(BYTES_MAX);
  }

  private static List<String> names(List<TarArchiveEntry> entries) {
    return entries.stream().map(TarArchiveEntry::getName).toList();
  }

  @Test
  void onlyItsDatabaseIsTheServersAndNothingTellsWhereItWasMade() throws Exception {
    for (List<TarArchiveEntry> layer : image.layers()) {
      for (TarArchiveEntry each : layer) {
        boolean data = each.getName().equals("angarium/angarium-data/");
        assertThat(each.getLongUserId()).as(each.getName()).isEqualTo(data ? 65_532 : 0);
        assertThat(each.getMode() & 06000).as(each.getName()).isZero();
        assertThat(each.getLastModifiedTime().toMillis()).as(each.getName()).isIn(0L, 1_000L);
        assertThat(each.isSymbolicLink()).isFalse();
      }
    }
    image.unpack(work);
    assertThat(Files.readString(work.resolve("angarium/class-path")))
        .doesNotContain(StopTimes.ROOT.toString(), System.getProperty("user.home"));
    assertThat(image.config().toString())
        .doesNotContain(StopTimes.ROOT.toString())
        .doesNotContainIgnoringCase("password", "secret");
  }

  @Test
  void sameContentMakesTheSameImage() throws Exception {
    Path again = folder.resolve("again.tar");

    String digestAgain = image().write(again, work);
    UnpackedImage other = UnpackedImage.read(again);
    for (int i = 0; i < image.layers().size(); i++) {
      assertThat(contents(other, i)).isEqualTo(contents(image, i));
    }
    assertThat(other.config()).isEqualTo(image.config());
    assertThat(digestAgain).isEqualTo(digest);
    assertThat(sha256(Files.readAllBytes(again))).isEqualTo(sha256(Files.readAllBytes(tar)));
  }

  /** Names the file that differs. */
  private static Map<String, String> contents(UnpackedImage image, int layer) throws Exception {
    Map<String, String> contents = new TreeMap<>();
    try (TarArchiveInputStream in = image.open(image.manifest().path("layers").path(layer))) {
      for (TarArchiveEntry each = in.getNextEntry(); each != null; each = in.getNextEntry()) {
        contents.put(each.getName(), sha256(in.readAllBytes()));
      }
    }
    return contents;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Properties, environment and secrets as the chart gives them, but for the database. */
  private Map<String, String> chart(Path root, int port) throws Exception {
    String rendered =
        new Helm(Path.of("helm/angarium-server"))
            .template()
            .withKubeVersion("1.34.0")
            .set("grpc.enabled", true)
            .call();
    Map<String, String> environment = new TreeMap<>();
    for (String each : rendered.split("(?m)^---$", -1)) {
      JsonNode object = YAML.readTree(each);
      String properties = object.path("data").path("application.properties").asText("");
      if (!properties.isEmpty()) {
        Files.writeString(
            root.resolve("angarium/config/application.properties"),
            properties
                .replaceAll("(?m)^spring\\.datasource\\..*$", "")
                .concat("\nserver.port=" + port + "\nangarium.server.grpc.port=0\n"));
      }
      JsonNode container = object.at("/spec/template/spec/containers/0");
      container
          .path("env")
          .forEach(env -> environment.put(env.path("name").asText(), env.path("value").asText()));
    }
    Path secrets = Files.createDirectory(root.resolve("angarium/secrets"));
    String key = "angarium.server.api-keys.shop.";
    Files.writeString(
        secrets.resolve(key + "hashes"), "sha256:" + sha256(KEY.getBytes(UTF_8)) + "\n");
    Files.writeString(secrets.resolve(key + "businesses"), "order");
    Files.writeString(secrets.resolve(key + "destinations"), "log:orders");
    return environment;
  }

  @Test
  void itStartsWithoutTheSystemServesAndStopsGracefully() throws Exception {
    Path root = Files.createDirectory(work.resolve("root"));
    image.unpack(root);
    Files.createDirectories(root.resolve("proc"));
    Files.createDirectories(root.resolve("dev"));
    int port = freePort();
    Map<String, String> environment = chart(root, port);
    environment.put("LANG", "C.UTF-8");
    String address = "http://127.0.0.1:" + port;

    try (ImageProcess server =
        ImageProcess.start(
            root, ServerImage.entryPoint(), environment, work.resolve("output.txt"))) {
      awaitReady(server, address);
      assertThat(probe(root, "http://127.0.0.1:" + port)).isZero();
      assertThat(probe(root, "http://127.0.0.1:1")).isEqualTo(1);

      String half = "/v1/half-messages/order/4711";
      assertThat(
              send(request(address + half)
                      .header("Angarium-Destination", "log:orders")
                      .PUT(BodyPublishers.ofString("ü")))
                  .body())
          .contains("\"state\":\"PREPARED\"");
      assertThat(send(request(address + half + "/commit").POST(BodyPublishers.noBody())).body())
          .contains("\"state\":\"COMMITTED\"");

      server.terminate();
      assertThat(server.ended()).as(server.output()).isEqualTo(TERMINATED);
      assertThat(server.output())
          .contains("it serves for another 5s, then it stops")
          .contains("Received ")
          .doesNotContain(" ERROR ", " WARN ", "ClassNotFound", "NoClassDefFound");
    }
  }

  /** No class refers to them, so only their absence in an emergency would tell. */
  private static Map<String, String> modulesFoundByName() {
    return Map.ofEntries(
        Map.entry("jdk.charsets", "payloads and databases in encodings such as GBK and Big5"),
        Map.entry("jdk.crypto.ec", "TLS with keys and curves of elliptic curves"),
        Map.entry("jdk.jcmd", "thread dumps and heap dumps of a server that hangs"),
        Map.entry("jdk.jfr", "a recording by jcmd JFR.start"),
        Map.entry("jdk.localedata", "names of zones and numbers in other languages"),
        Map.entry("jdk.management", "heap dumps and the beans of the platform"),
        Map.entry("jdk.management.agent", "JMX, also by jcmd ManagementAgent.start"),
        Map.entry("jdk.naming.dns", "SRV records of a database's or broker's name by JNDI"),
        Map.entry("jdk.security.auth", "Kerberos by JAAS, for Kafka and databases"),
        Map.entry("jdk.security.jgss", "SASL GSSAPI of Kafka"),
        Map.entry("jdk.zipfs", "jars that are opened as file systems"));
  }

  @Test
  void javaHasWhatOperationsNeed() throws Exception {
    image.unpack(work);
    Properties release = new Properties();
    try (Reader in = Files.newBufferedReader(work.resolve("opt/java/release"))) {
      release.load(in);
    }

    List<String> modules = List.of(release.getProperty("MODULES").replace("\"", "").split(" "));
    modulesFoundByName()
        .forEach((module, reason) -> assertThat(modules).as(reason).contains(module));
    try (ImageProcess java =
        ImageProcess.start(
            work,
            List.of(ServerImage.JAVA + "/bin/java", "-Dcom.sun.management.jmxremote", "-version"),
            Map.of(),
            folder.resolve("jmx.txt"))) {
      assertThat(java.ended()).as(java.output()).isZero();
    }
  }

  /** A server in a container that listens on loopback cannot be reached. */
  @Test
  void itListensOnAllAddressesByEachWayIn() throws Exception {
    image.unpack(work);
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(work.resolve("angarium/application.properties"))) {
      properties.load(in);
    }

    for (String each :
        List.of("server.address", "angarium.server.grpc.host", "angarium.server.dubbo.host")) {
      assertThat(properties.getProperty(each)).as(each).isEqualTo("0.0.0.0");
    }
  }

  /** By the command of the health check of Compose. */
  private int probe(Path root, String address) throws Exception {
    List<String> command = new ArrayList<>();
    YAML.readTree(Path.of("compose.yaml").toFile())
        .at("/services/server/healthcheck/test")
        .forEach(each -> command.add(each.asText()));
    command.remove(0);
    command.add(address);
    try (ImageProcess probe =
        ImageProcess.start(root, command, Map.of(), work.resolve("probe.txt"))) {
      return probe.ended();
    }
  }

  private static HttpRequest.Builder request(String address) {
    return HttpRequest.newBuilder(URI.create(address)).header("Authorization", "Bearer " + KEY);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  private static void awaitReady(ImageProcess server, String address) throws Exception {
    HttpRequest.Builder readiness = request(address + "/actuator/health/readiness");
    long deadline = System.nanoTime() + 120_000_000_000L;
    while (true) {
      assertThat(server.isAlive()).as(server.output()).isTrue();
      assertThat(System.nanoTime()).as(server.output()).isLessThan(deadline);
      try {
        if (send(readiness).statusCode() == 200) {
          return;
        }
      } catch (IOException e) {
        LockSupport.parkNanos(50_000_000); // it does not listen yet
      }
    }
  }
}
