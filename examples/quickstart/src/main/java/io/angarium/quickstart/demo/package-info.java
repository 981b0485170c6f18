/** The demonstration around the two applications: servers, switches and the page. */
@NullMarked
package io.angarium.quickstart.demo;

import org.jspecify.annotations.NullMarked;
