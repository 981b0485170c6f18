package io.angarium.spring.settings;

import java.util.List;
import java.util.function.BiFunction;
import org.springframework.core.env.Environment;

/**
 * Properties under {@code angarium} of an application that is built on the starter. As a bean it
 * has them checked together with the starter's own, so that everything wrong is listed at once:
 * what cannot be read, unknown names, and what the check finds. Immutable.
 *
 * @param <T> what the properties are bound to
 * @param prefix of the properties, below {@code angarium}, e.g. {@code angarium.server}
 * @param type bound by its constructor
 * @param check gives the faults by the full names of the properties, perhaps none
 */
public record ConfigurationPart<T>(
    String prefix, Class<T> type, BiFunction<T, Environment, List<String>> check) {}
