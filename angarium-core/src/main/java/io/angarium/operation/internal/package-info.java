/** What every store of operations does alike. */
@NullMarked
package io.angarium.operation.internal;

import org.jspecify.annotations.NullMarked;
