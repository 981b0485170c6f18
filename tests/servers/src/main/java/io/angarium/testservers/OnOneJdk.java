package io.angarium.testservers;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests that are long and find nothing that another JDK could change, since shorter ones use the
 * same classes: where the same code is built and tested on a second JDK, {@code
 * -DexcludedGroups=once} leaves them out.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Tag("once")
public @interface OnOneJdk {}
