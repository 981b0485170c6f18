/** What persons who operate the outbox see of it: dead letters grouped by their cause. */
@NullMarked
package io.angarium.desk;

import org.jspecify.annotations.NullMarked;
