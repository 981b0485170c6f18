package io.angarium.spring.half;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.StringUtils;

/**
 * What can be told of an expression before it is evaluated: that it names arguments that are not
 * there, or properties that an argument of a final class, e.g. a record, has not.
 */
final class ExpressionFaults {
  private final Map<String, Class<?>> variables = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  private ExpressionFaults(Method method) {
    Class<?>[] types = method.getParameterTypes();
    String[] given = ArgumentExpression.NAMES.getParameterNames(method);
    for (int i = 0; i < types.length; i++) {
      variables.put("#p" + i, types[i]);
      variables.put("#a" + i, types[i]);
      String name = given == null ? "#p" + i : "#" + given[i];
      variables.put(name, types[i]);
      names.add(name);
    }
  }

  /** Returns the faults of an expression over the arguments of a method; empty if none. */
  static List<String> of(SpelNode expression, Method method) {
    ExpressionFaults found = new ExpressionFaults(method);
    found.look(expression, true);
    return found.faults;
  }

  /** The declared type of an expression that is an argument and nothing else. */
  static @Nullable Class<?> typeOf(SpelNode expression, Method method) {
    return expression instanceof VariableReference
        ? new ExpressionFaults(method).variables.get(expression.toStringAST())
        : null;
  }

  /**
   * Looks at a node and what is below.
   *
   * @param first whether it is evaluated by itself, and not on a value before it
   */
  private void look(SpelNode node, boolean first) {
    if (node instanceof VariableReference) {
      variable(node.toStringAST(), first);
    } else if (node instanceof FunctionReference) {
      faults.add(node.toStringAST() + " (expected: no functions, as there are none)");
    } else if (first
        && (node instanceof PropertyOrFieldReference || node instanceof MethodReference)) {
      faults.add(
          node.toStringAST() + " (expected: that it begins with an argument: " + names() + ")");
    }
    if (node instanceof CompoundExpression) {
      member(node.getChild(0), node.getChild(1));
    }
    boolean onValues =
        node instanceof Projection || node instanceof Selection || node instanceof Indexer;
    for (int i = 0; i < node.getChildCount(); i++) {
      boolean follows = node instanceof CompoundExpression && i > 0;
      look(node.getChild(i), first && !onValues && !follows);
    }
  }

  private void variable(String name, boolean first) {
    boolean element = !first && (name.equals("#this") || name.equals("#root"));
    if (!element && !variables.containsKey(name)) {
      faults.add(name + " (expected: an argument: " + names() + ")");
    }
  }

  private String names() {
    return names.isEmpty()
        ? "the method has none"
        : String.join(", ", names)
            + (names.get(0).equals("#p0") ? "; compile with -parameters to use their names" : "");
  }

  /** Others than final classes may have it in a subclass. */
  private void member(SpelNode variable, SpelNode next) {
    Class<?> type = variables.get(variable.toStringAST());
    if (type == null || !Modifier.isFinal(type.getModifiers()) || type.isArray()) {
      return;
    }
    if (next instanceof PropertyOrFieldReference property && !has(type, property.getName())) {
      missing(variable, property.getName(), type);
    }
    if (next instanceof MethodReference called && !hasMethod(type, called.getName())) {
      missing(variable, called.getName() + "()", type);
    }
  }

  private void missing(SpelNode variable, String name, Class<?> type) {
    faults.add(
        variable.toStringAST()
            + "."
            + name
            + " (expected: what "
            + type.getSimpleName()
            + " has"
            + components(type)
            + ")");
  }

  private static String components(Class<?> type) {
    return type.isRecord()
        ? Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getName)
            .collect(Collectors.joining(", ", ": ", ""))
        : "";
  }

  private static boolean has(Class<?> type, String property) {
    String capitalized = StringUtils.capitalize(property);
    return hasMethod(type, property)
        || hasMethod(type, "get" + capitalized)
        || hasMethod(type, "is" + capitalized)
        || Arrays.stream(type.getFields()).anyMatch(field -> field.getName().equals(property));
  }

  private static boolean hasMethod(Class<?> type, String name) {
    return Arrays.stream(type.getMethods()).anyMatch(method -> method.getName().equals(name));
  }
}
