/** An order service, the reliable message centre and a ledger, as processes of their own. */
@NullMarked
package io.angarium.messagecentre;

import org.jspecify.annotations.NullMarked;
