/** Serves the console from an embedded Tomcat. */
@NullMarked
package io.angarium.examples.consoledemo.web;

import org.jspecify.annotations.NullMarked;
