package io.angarium.tests.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests of code of our own that no generation of Spring Boot changes, since others run the same
 * beans on each: they run on Spring Boot 4, and with {@code mvn verify -Pthorough} on Spring Boot 3
 * as well.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Tag("one-boot")
@interface OnBootFour {}
