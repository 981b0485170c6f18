/** Listeners of any broker that process each message once, through the inbox. */
@NullMarked
package io.angarium.spring.listener;

import org.jspecify.annotations.NullMarked;
