package io.angarium.tests.spring;

import io.angarium.testservers.OnOneJdk;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests of code of our own that no generation of Spring Boot and no JDK changes, since others run
 * the same beans on each: they run on Spring Boot 4, and with {@code mvn verify -Pthorough} on
 * Spring Boot 3 as well.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@OnOneJdk
@Tag("one-boot")
@interface OnOneBoot {}
