/** The module that writes mails after the commit of the order. */
@NullMarked
package io.angarium.tests.modulith.shop.mail;

import org.jspecify.annotations.NullMarked;
