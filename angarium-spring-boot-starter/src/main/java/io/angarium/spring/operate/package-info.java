/** What a person who runs an application sees of it: dead letters, counts, the relay's life. */
@NullMarked
package io.angarium.spring.operate;

import org.jspecify.annotations.NullMarked;
