/** What persons see of the messages of a database, what they do, and the audit of it. */
@NullMarked
package io.angarium.jdbc.internal.desk;

import org.jspecify.annotations.NullMarked;
