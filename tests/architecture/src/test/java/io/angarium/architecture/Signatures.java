package io.angarium.architecture;

import static com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT;
import static com.tngtech.archunit.core.domain.JavaModifier.BRIDGE;
import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.core.domain.JavaModifier.STATIC;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNTHETIC;
import static java.util.stream.Collectors.joining;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaParameter;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import com.tngtech.archunit.core.domain.properties.HasName;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The public API of a module as text: each public type outside of {@code internal} with its public
 * and protected members. Without what every record, enum and object has.
 */
final class Signatures {
  private static final Set<String> OF_EVERY_OBJECT =
      Set.of("equals(java.lang.Object)", "hashCode()", "toString()");

  private static final Set<String> OF_EVERY_ENUM = Set.of("values()", "valueOf(java.lang.String)");

  /** Packages that readers know without being told. */
  private static final String KNOWN = "java\\.(lang|util|time|util\\.function)\\.(?=[A-Z])";

  private Signatures() {}

  /** Returns one line for each type and, indented, for each member, in alphabetical order. */
  static String of(JavaClasses classes) {
    StringBuilder text = new StringBuilder();
    classes.stream()
        .filter(Signatures::isPublic)
        .sorted((one, other) -> one.getName().compareTo(other.getName()))
        .forEach(
            type -> {
              text.append(header(type)).append('\n');
              members(type).forEach(line -> text.append("  ").append(line).append('\n'));
            });
    return text.toString();
  }

  private static boolean isPublic(JavaClass type) {
    return !(type.getPackageName() + ".").contains(".internal.")
        && !type.getPackageName().equals(Reactor.GENERATED)
        && !type.getSimpleName().equals("package-info")
        && !type.isAnonymousClass()
        && isOpen(type.getModifiers())
        && type.getEnclosingClass().map(Signatures::isPublic).orElse(true);
  }

  private static boolean isOpen(Set<JavaModifier> modifiers) {
    return !modifiers.contains(SYNTHETIC)
        && !modifiers.contains(BRIDGE)
        && (modifiers.contains(PUBLIC) || modifiers.contains(PROTECTED));
  }

  private static String header(JavaClass type) {
    String kind =
        type.isAnnotation()
            ? "@interface"
            : type.isInterface()
                ? "interface"
                : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    String parents =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
            .map(Signatures::shortened)
            .filter(
                name ->
                    !Set.of("Object", "Record", "java.lang.annotation.Annotation").contains(name))
            .filter(name -> !name.startsWith("Enum<"))
            .sorted()
            .collect(joining(", "));
    boolean open = type.getModifiers().contains(ABSTRACT) && kind.equals("class");
    boolean closed = type.getModifiers().contains(FINAL) && kind.equals("class");
    return (open ? "abstract " : "")
        + (closed ? "final " : "")
        + kind
        + " "
        + type.getName()
        + typeParameters(type.getTypeParameters())
        + (parents.isEmpty() ? "" : " : " + parents);
  }

  private static Set<String> members(JavaClass type) {
    Set<String> members = new TreeSet<>();
    type.getFields().stream()
        .filter(field -> isOpen(field.getModifiers()))
        .forEach(
            field ->
                members.add(
                    modifiers(field) + field.getName() + ": " + shortened(field.getType())));
    type.getConstructors().stream()
        .filter(each -> isOpen(each.getModifiers()))
        .forEach(each -> members.add(modifiers(each) + "new" + parameters(each) + failures(each)));
    type.getMethods().stream()
        .filter(method -> isOpen(method.getModifiers()))
        .filter(method -> !isOfEvery(type, method))
        .forEach(
            method ->
                members.add(
                    modifiers(method)
                        + method.getName()
                        + typeParameters(method.getTypeParameters())
                        + parameters(method)
                        + ": "
                        + shortened(method.getReturnType())
                        + failures(method)));
    return members;
  }

  private static boolean isOfEvery(JavaClass type, JavaCodeUnit method) {
    String erased =
        method.getName()
            + method.getRawParameterTypes().stream()
                .map(HasName::getName)
                .collect(joining(",", "(", ")"));
    return OF_EVERY_OBJECT.contains(erased) || (type.isEnum() && OF_EVERY_ENUM.contains(erased));
  }

  private static String modifiers(JavaMember member) {
    Set<JavaModifier> all = member.getModifiers();
    boolean ofInterface = member.getOwner().isInterface();
    return (all.contains(PROTECTED) ? "protected " : "")
        + (all.contains(STATIC) ? "static " : "")
        + (all.contains(ABSTRACT) && !ofInterface ? "abstract " : "")
        + (ofInterface && !all.contains(ABSTRACT) && !all.contains(STATIC) ? "default " : "");
  }

  private static String parameters(JavaCodeUnit unit) {
    List<JavaParameter> parameters = unit.getParameters();
    return parameters.stream()
        .map(parameter -> shortened(parameter.getType()))
        .collect(joining(", ", "(", ")"));
  }

  /** With their bounds, if they have any. */
  private static String typeParameters(List<? extends JavaTypeVariable<?>> given) {
    return given.isEmpty()
        ? ""
        : given.stream().map(Signatures::typeParameter).collect(joining(", ", "<", ">"));
  }

  private static String typeParameter(JavaTypeVariable<?> given) {
    String bounds =
        given.getUpperBounds().stream()
            .map(Signatures::shortened)
            .filter(bound -> !bound.equals("Object"))
            .collect(joining(" & "));
    return given.getName() + (bounds.isEmpty() ? "" : " extends " + bounds);
  }

  private static String failures(JavaCodeUnit unit) {
    String failures =
        unit.getExceptionTypes().stream()
            .map(Signatures::shortened)
            .sorted()
            .collect(joining(", "));
    return failures.isEmpty() ? "" : " throws " + failures;
  }

  private static String shortened(JavaType type) {
    if (type instanceof JavaClass array && array.isArray()) {
      return shortened(array.getComponentType()) + "[]";
    }
    return type.getName().replaceAll(KNOWN, "");
  }
}
