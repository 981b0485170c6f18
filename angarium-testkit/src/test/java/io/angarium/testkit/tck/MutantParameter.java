package io.angarium.testkit.tck;

import java.util.Arrays;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives the mutant of a {@link TckRun} to the constructor of the suite that runs with it. */
final class MutantParameter implements ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType().isEnum();
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    String name = context.getConfigurationParameter(TckRun.MUTANT).orElseThrow();
    return Arrays.stream(parameter.getParameter().getType().getEnumConstants())
        .filter(constant -> ((Enum<?>) constant).name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
