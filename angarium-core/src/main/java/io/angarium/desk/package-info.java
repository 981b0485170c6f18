/** Where persons look after the messages of a database: search, acts, audit, causes. */
@NullMarked
package io.angarium.desk;

import org.jspecify.annotations.NullMarked;
