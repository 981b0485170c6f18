/** Methods of beans with half messages around them. */
@NullMarked
package io.angarium.spring.half;

import org.jspecify.annotations.NullMarked;
