/** The outbox of Spring Modulith: externalized events become messages of the transaction. */
@NullMarked
package io.angarium.spring.modulith;

import org.jspecify.annotations.NullMarked;
