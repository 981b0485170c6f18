package io.angarium.architecture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Checks the pom.xml files of a source tree against what a release to Maven Central needs. */
final class PublishedPoms {
  private static final String BOM = "angarium-bom";
  private static final List<String> SKIPS = List.of("maven.deploy.skip", "maven.install.skip");
  private static final List<String> DESCRIBED = List.of("name", "description");

  /** What only the root and the BOM state; the other modules inherit it. */
  private static final List<String> STATED_ONCE =
      List.of(
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "scm/connection",
          "scm/developerConnection",
          "scm/url");

  /** The goals of the profile {@code release}, which builds what a release needs besides jars. */
  private static final Map<String, String> RELEASE_GOALS =
      Map.of(
          "maven-source-plugin", "jar-no-fork",
          "maven-javadoc-plugin", "jar",
          "cyclonedx-maven-plugin", "makeBom",
          "maven-gpg-plugin", "sign");

  /** They name hosts; the command line says where a release goes. */
  private static final List<String> HOSTS =
      List.of("distributionManagement", "repositories", "pluginRepositories");

  private static final List<String> URLS_NOT_EXTENDED =
      List.of(
          "@child.project.url.inherit.append.path",
          "scm@child.scm.connection.inherit.append.path",
          "scm@child.scm.developerConnection.inherit.append.path",
          "scm@child.scm.url.inherit.append.path");

  private final Pom parent;
  private final Pom bom;
  private final List<Pom> published = new ArrayList<>();
  private final List<Pom> others = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  private PublishedPoms(Path root) throws IOException {
    parent = Pom.read(root, "");
    bom = Pom.read(root, BOM);
    for (String module : parent.texts("modules/module")) {
      if (!module.equals(BOM)) {
        published.add(Pom.read(root, module));
      }
    }
    for (String module : parent.texts("profiles/profile/modules/module")) {
      addOther(root, module);
    }
  }

  private void addOther(Path root, String module) throws IOException {
    Pom pom = Pom.read(root, module);
    others.add(pom);
    for (String inner : pom.texts("modules/module")) {
      others.add(Pom.read(root, module + "/" + inner));
    }
  }

  /** What is wrong with the files below the folder; empty if a release can be made of them. */
  static List<String> faults(Path root) throws IOException {
    PublishedPoms poms = new PublishedPoms(root);
    poms.checkBom();
    poms.checkWords();
    poms.checkSkips();
    poms.checkDependencies();
    poms.checkReleaseProfile();
    poms.checkHosts();
    poms.checkReproducible();
    return poms.faults;
  }

  /** Notes a fault, in words that are joined, unless something holds. */
  private void expect(boolean holds, Object... words) {
    if (!holds) {
      faults.add(Arrays.stream(words).map(String::valueOf).collect(Collectors.joining(" ")));
    }
  }

  private void checkBom() {
    List<String> managed =
        bom.texts("dependencyManagement/dependencies/dependency/artifactId").stream()
            .sorted()
            .toList();
    List<String> artifacts = published.stream().map(Pom::artifact).sorted().toList();
    expect(managed.equals(artifacts), "BOM has", managed, "and published are", artifacts);
    expect(!bom.has("parent"), BOM, "has a parent, whose versions it would bring along");
  }

  private void checkWords() {
    for (Pom pom : released()) {
      DESCRIBED.forEach(part -> expect(pom.has(part), pom, "has no", part));
    }
    for (String part : STATED_ONCE) {
      expect(parent.has(part), parent, "has no", part);
      expect(bom.texts(part).equals(parent.texts(part)), bom, "and", parent, "differ in", part);
      published.forEach(pom -> expect(!pom.has(part), pom, "states once more", part));
    }
    for (String attribute : URLS_NOT_EXTENDED) {
      expect(
          parent.texts(attribute).equals(List.of("false")),
          parent,
          "must have",
          attribute + "=false, or modules inherit an address with their name at its end");
    }
    expect(
        released().stream().map(Pom::version).distinct().count() == 1,
        "the published modules have several versions");
  }

  private void checkSkips() {
    for (String skip : SKIPS) {
      for (Pom pom : published) {
        expect(!pom.has("properties/" + skip), pom, "is published, but sets", skip);
      }
      Set<String> skipping = new HashSet<>();
      for (Pom pom : others) { // an aggregator comes before its modules
        boolean skips =
            pom.texts("properties/" + skip).equals(List.of("true"))
                || skipping.contains(pom.parentArtifact());
        expect(skips, pom, "is not published, but does not set", skip);
        if (skips) {
          skipping.add(pom.artifact());
        }
      }
    }
  }

  private void checkDependencies() {
    Set<String> artifacts = new HashSet<>(published.stream().map(Pom::artifact).toList());
    Predicate<String> missing = artifact -> !artifacts.contains(artifact);
    for (Pom pom : published) {
      pom.ownDependencies().stream()
          .filter(missing)
          .forEach(artifact -> expect(false, pom, "needs the unpublished", artifact));
    }
  }

  private void checkReleaseProfile() {
    Pom release = parent.profile("release");
    RELEASE_GOALS.forEach(
        (plugin, goal) -> {
          expect(
              release.plugin(plugin).texts("executions/execution/goals/goal").contains(goal),
              "the profile release of",
              parent,
              "does not run",
              plugin + ":" + goal);
          expect(!parent.plugin(plugin).has("executions"), parent, "runs in every build", plugin);
        });
    expect(
        bom.profile("release").plugin("maven-gpg-plugin").has("executions/execution/goals/goal"),
        "the profile release of",
        bom,
        "does not sign");
  }

  private void checkHosts() {
    List<Pom> all = new ArrayList<>(released());
    all.addAll(others);
    for (Pom pom : all) {
      for (String part : HOSTS) {
        expect(!pom.has(part), pom, "has", part);
        expect(!pom.has("profiles/profile/" + part), "a profile of", pom, "has", part);
      }
    }
  }

  private void checkReproducible() {
    expect(
        parent.has("properties/project.build.outputTimestamp"),
        parent,
        "has no project.build.outputTimestamp, so each build makes other jars");
  }

  private List<Pom> released() {
    List<Pom> all = new ArrayList<>(List.of(parent, bom));
    all.addAll(published);
    return all;
  }
}
