/** Makes the container image of the server. Not published. */
@org.jspecify.annotations.NullMarked
package io.angarium.deploy;
