package io.angarium.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that a release to Maven Central needs is in the pom.xml files. */
class PublishedPomsTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final int DEPTH = 5;
  private static final String CORE = "angarium-core/pom.xml";
  private static final String BOM = "angarium-bom/pom.xml";
  private static final String ROOT_POM = "pom.xml";

  @TempDir private Path copy;

  /**
   * A fault and what must be said about it.
   *
   * @param file the file with the fault
   * @param is what stands there
   * @param becomes what stands there then
   * @param report what must be reported
   */
  record Planted(String file, String is, String becomes, String report) {
    @Override
    public String toString() {
      return report;
    }
  }

  static Stream<Planted> faults() {
    return Stream.of(
        new Planted(BOM, "<artifactId>angarium-redis<", "<artifactId>angarium-server<", "BOM has "),
        new Planted(CORE, "<name>Angarium Core</name>", "", "angarium-core has no name"),
        new Planted(CORE, "description>", "words>", "angarium-core has no description"),
        new Planted(
            ROOT_POM, "<url>https://github.com/angarium/angarium</url>", "", "the root has no url"),
        new Planted(ROOT_POM, "developer>", "person>", "the root has no developers"),
        new Planted(BOM, "<connection>", "<connection>x", "differ in scm/connection"),
        new Planted(
            ROOT_POM, "child.scm.url.inherit.append.path=\"false\"", "", "the root must have scm@"),
        new Planted(
            CORE,
            "<properties>",
            "<properties><maven.install.skip>true</maven.install.skip>",
            "angarium-core is published, but sets maven.install.skip"),
        new Planted(
            "tests/canaries/pom.xml",
            "<maven.install.skip>true",
            "<maven.install.skip>false",
            "tests/canaries is not published, but does not set maven.install.skip"),
        new Planted(
            "benchmarks/pom.xml",
            "<maven.deploy.skip>true",
            "<maven.deploy.skip>false",
            "benchmarks/harness is not published, but does not set maven.deploy.skip"),
        new Planted(
            CORE,
            "<dependencies>",
            "<dependencies><dependency><groupId>io.angarium</groupId>"
                + "<artifactId>angarium-test-servers</artifactId></dependency>",
            "angarium-core needs the unpublished angarium-test-servers"),
        new Planted(ROOT_POM, "<goal>jar-no-fork<", "<goal>help<", "does not run maven-source"),
        new Planted(ROOT_POM, "<goal>makeBom<", "<goal>help<", "does not run cyclonedx-maven"),
        new Planted(ROOT_POM, "<goal>sign<", "<goal>help<", "does not run maven-gpg"),
        new Planted(BOM, "<id>release<", "<id>other<", "angarium-bom does not sign"),
        new Planted(
            CORE,
            "<dependencies>",
            "<repositories>x</repositories><dependencies>",
            "angarium-core has repositories"),
        new Planted(
            ROOT_POM,
            "project.build.outputTimestamp",
            "other",
            "no project.build.outputTimestamp"));
  }

  @Test
  void everythingThatAReleaseNeedsIsThere() throws IOException {
    assertThat(PublishedPoms.faults(ROOT)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void plantedFaultIsFound(Planted fault) throws IOException {
    for (Path pom : poms()) {
      write(pom.toString(), Files.readString(ROOT.resolve(pom)));
    }
    String text = Files.readString(ROOT.resolve(fault.file()));
    assertThat(text).contains(fault.is());
    write(fault.file(), text.replace(fault.is(), fault.becomes()));

    assertThat(PublishedPoms.faults(copy)).anyMatch(found -> found.contains(fault.report()));
  }

  private void write(String name, String text) throws IOException {
    Path file = copy.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static List<Path> poms() throws IOException {
    try (Stream<Path> files =
        Files.find(ROOT, DEPTH, (file, attributes) -> file.endsWith("pom.xml"))) {
      return files
          .map(ROOT::relativize)
          .filter(file -> !List.of(file.toString().split("/", -1)).contains("target"))
          .toList();
    }
  }
}
