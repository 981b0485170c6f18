/** Methods that send a half message if, and only if, their local transaction commits. */
@NullMarked
package io.angarium.spring.half;

import org.jspecify.annotations.NullMarked;
