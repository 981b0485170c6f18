/** One outbox for an application that has a schema for each tenant. */
@NullMarked
package io.angarium.recipes.tenants;

import org.jspecify.annotations.NullMarked;
