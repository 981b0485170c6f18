package io.angarium.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Keeps docs/guarantees.md true: every guarantee names tests, and they exist. */
class GuaranteesTest {
  private static final Path DOCS = Path.of("../../docs").toAbsolutePath().normalize();
  private static final String REQUIREMENTS = "| A1 | text | proved |\n| A9 | text | planned |\n";
  private static final String THIS =
      "../tests/architecture/src/test/java/io/angarium/architecture/GuaranteesTest.java";
  private static final String THOROUGH =
      "../tests/servers/src/test/java/io/angarium/testservers/RocketServerTest.java";
  private static final String TRUE_ROW = row("A1", proof("everyGuaranteeNamesTestsThatExist"));

  @Test
  void everyGuaranteeNamesTestsThatExist() {
    String page = GuaranteesPage.read(DOCS.resolve("guarantees.md"));
    String requirements = GuaranteesPage.read(DOCS.resolve("requirements.md"));

    List<String> faults = new GuaranteesPage(DOCS, page, requirements).faults();

    assertThat(page).contains("| G30 |");
    assertThat(faults).isEmpty();
  }

  @Test
  void aTruePageHasNoFault() {
    assertThat(faults(TRUE_ROW, REQUIREMENTS)).isEmpty();
    assertThat(faults(row("A1", "[GuaranteesTest](" + THIS + ")"), REQUIREMENTS)).isEmpty();
    assertThat(faults(row("A1", proof("aPlantedFaultIsFound")), REQUIREMENTS)).isEmpty();
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("plantedFaults")
  void aPlantedFaultIsFound(String page, String fault) {
    assertThat(faults(page, REQUIREMENTS)).containsExactly(fault);
  }

  static Stream<Arguments> plantedFaults() {
    String noTest = "| G1 | A1 | claim | trust us |\n";
    String inNotes = "| N1 | but see " + proof("noSuchTest") + " | nothing |\n";
    return Stream.of(
        Arguments.of(row("A1", proof("noSuchTest")), "GuaranteesTest#noSuchTest is not a test"),
        Arguments.of(row("A1", proof("notATest")), "GuaranteesTest#notATest is not a test"),
        Arguments.of(TRUE_ROW + inNotes, "GuaranteesTest#noSuchTest is not a test"),
        Arguments.of(
            TRUE_ROW + "[Reactor](" + THIS.replace("GuaranteesTest", "Reactor") + ")",
            "Reactor is not a test"),
        Arguments.of(
            TRUE_ROW + "[GoneTest#gone](../tests/GoneTest.java)",
            "GoneTest does not exist at ../tests/GoneTest.java"),
        Arguments.of(
            TRUE_ROW + "[OtherTest#gone](" + THIS + ")",
            "OtherTest is linked to GuaranteesTest.java"),
        Arguments.of(noTest, "G1 names no test"),
        Arguments.of(
            row("A1", "[RocketServerTest](" + THOROUGH + ")"),
            "G1 names no test that every build runs"),
        Arguments.of(TRUE_ROW + TRUE_ROW, "G1 stands where G2 belongs"),
        Arguments.of(TRUE_ROW + "| G2 | A1 |\n", "1 rows of guarantees do not have four cells"),
        Arguments.of(
            TRUE_ROW.replace("| A1", "| A1, A99"),
            "G1 cites the requirement A99, which does not exist"),
        Arguments.of(
            TRUE_ROW.replace("| A1", "| A1, A9"),
            "A9 is called planned, but a guarantee cites it"));
  }

  @Test
  void aRequirementThatIsCalledProvedNeedsAGuarantee() {
    assertThat(faults(TRUE_ROW, REQUIREMENTS + "| A2 | text | proved |\n"))
        .containsExactly("A2 is called proved, but no guarantee cites it");
    assertThat(faults(TRUE_ROW, REQUIREMENTS + "| A2 | text | nearly |\n"))
        .containsExactly("A2 is 'nearly' (expected: proved, planned, or 'in part: ' and what)");
  }

  private static List<String> faults(String page, String requirements) {
    return new GuaranteesPage(DOCS, page, requirements).faults();
  }

  private static void notATest() {}

  private static String row(String requirement, String proof) {
    notATest();
    return "| G1 | " + requirement + " | claim | " + proof + " |\n";
  }

  private static String proof(String method) {
    return "[GuaranteesTest#" + method + "](" + THIS + ")";
  }
}
