/**
 * What calls of TrustMessage carry. Names of packages, classes, fields and accessors are those that
 * its clients have in a jar of their own, and travel with every call: none may change.
 */
@NullMarked
package com.example.trustmessage.middlewareapi.common;

import org.jspecify.annotations.NullMarked;
