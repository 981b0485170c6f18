/** The ledger: it has a database of its own, and books each message once. */
@NullMarked
package io.angarium.messagecentre.ledger;

import org.jspecify.annotations.NullMarked;
