package io.angarium.architecture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * A pom.xml, or a part of one, as it is written; nothing inherited.
 *
 * @param name the folder of the module
 * @param elements the element that is looked into; none if the part is absent
 */
record Pom(String name, List<Element> elements) {
  static Pom read(Path root, String folder) throws IOException {
    return read(root, folder, "pom.xml");
  }

  static Pom read(Path root, String folder, String file) throws IOException {
    Path path = root.resolve(folder).resolve(file);
    try {
      Element project =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(path.toFile())
              .getDocumentElement();
      return new Pom(folder.isEmpty() ? "the root" : folder, List.of(project));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("cannot be read: " + path, e);
    }
  }

  /** The texts at a path such as {@code modules/module}; {@code scm@key} is an attribute. */
  List<String> texts(String path) {
    String[] parts = path.split("@", -1);
    Stream<Element> found = parts[0].isEmpty() ? elements.stream() : at(parts[0]).stream();
    return parts.length == 1
        ? found.map(element -> element.getTextContent().strip()).toList()
        : found.map(element -> element.getAttribute(parts[1])).toList();
  }

  /** Whether there is something, and not only blanks, at the path. */
  boolean has(String path) {
    return texts(path).stream().anyMatch(text -> !text.isEmpty());
  }

  String artifact() {
    return String.join("", texts("artifactId"));
  }

  String parentArtifact() {
    return String.join("", texts("parent/artifactId"));
  }

  String version() {
    return String.join("", has("version") ? texts("version") : texts("parent/version"));
  }

  Pom profile(String id) {
    return part("profiles/profile", "id", id);
  }

  Pom plugin(String artifact) {
    return part("build/plugins/plugin", "artifactId", artifact);
  }

  /** The artifacts of ours that users of this module get with it. */
  List<String> ownDependencies() {
    return at("dependencies/dependency").stream()
        .map(element -> new Pom(name, List.of(element)))
        .filter(dependency -> dependency.texts("groupId").contains("io.angarium"))
        .filter(dependency -> !dependency.texts("scope").contains("test"))
        .map(Pom::artifact)
        .toList();
  }

  Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>();
    for (Element parent : at("properties")) {
      for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
        if (node instanceof Element property) {
          properties.put(property.getTagName(), property.getTextContent().strip());
        }
      }
    }
    return properties;
  }

  /** The plugins with a version, managed ones included. */
  Map<String, String> pluginVersions() {
    Map<String, String> versions = new TreeMap<>();
    for (String path : List.of("build/pluginManagement/plugins/plugin", "build/plugins/plugin")) {
      for (Element plugin : at(path)) {
        Pom found = new Pom(name, List.of(plugin));
        if (found.has("version")) {
          versions.put(found.artifact(), found.version());
        }
      }
    }
    return versions;
  }

  /** What dependencies leave out, as {@code group:artifact}, by their artifact. */
  Map<String, List<String>> exclusions(String path) {
    Map<String, List<String>> exclusions = new TreeMap<>();
    for (Element dependency : at(path)) {
      Pom found = new Pom(name, List.of(dependency));
      List<String> excluded =
          found.at("exclusions/exclusion").stream()
              .map(exclusion -> new Pom(name, List.of(exclusion)))
              .map(exclusion -> exclusion.texts("groupId").get(0) + ":" + exclusion.artifact())
              .toList();
      if (!excluded.isEmpty()) {
        exclusions.put(found.artifact(), excluded);
      }
    }
    return exclusions;
  }

  private Pom part(String path, String key, String value) {
    return new Pom(
        name,
        at(path).stream()
            .filter(element -> new Pom(name, List.of(element)).texts(key).contains(value))
            .toList());
  }

  private List<Element> at(String path) {
    List<Element> found = elements;
    for (String step : path.split("/", -1)) {
      found = found.stream().flatMap(element -> children(element, step).stream()).toList();
    }
    return found;
  }

  private static List<Element> children(Element element, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child && child.getTagName().equals(name)) {
        found.add(child);
      }
    }
    return found;
  }

  @Override
  public String toString() {
    return name;
  }
}
