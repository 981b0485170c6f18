package io.angarium.testservers;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the tests only where these servers can be had. Where one cannot, the tests are left out and
 * the server is reported as not covered at the end of the build; where {@code
 * ANGARIUM_REQUIRE_SERVERS} (or the system property {@code angarium.require.servers}) lists it or
 * says {@code all}, the tests fail instead.
 *
 * <p>The check looks for the server's programs and may fetch them, but starts nothing: a server
 * that is there and does not start is a failure everywhere.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(RequiresServerCondition.class)
public @interface RequiresServer {
  /** The servers that the tests use; at least one. */
  Server[] value();

  /** The origins that the tests are about; any when empty. */
  Origin[] from() default {};
}
