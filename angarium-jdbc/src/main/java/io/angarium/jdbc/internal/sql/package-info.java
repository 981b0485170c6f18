/**
 * Statements with their parameters, connections that are given back as they came, and the names of
 * tables. Knows no database product but by its driver.
 */
@NullMarked
package io.angarium.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
