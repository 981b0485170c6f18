package io.angarium.testservers;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests on MariaDB, as with {@link RequiresServer}. The tag lets the build run them apart from
 * those of {@code angarium-jdbc} on other databases, for which other modules wait.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Tag("mysql")
@RequiresServer(Server.MARIADB)
public @interface RequiresMariaDb {}
