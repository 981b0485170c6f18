/** Containers without Docker: each stands for a server that the tests start as a process. */
@NullMarked
package io.angarium.recipes.testcontainers;

import org.jspecify.annotations.NullMarked;
