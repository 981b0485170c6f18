/**
 * The calls of TrustMessage. Names of packages, interfaces and methods are those that its clients
 * have in a jar of their own, and travel with every call: none may change.
 */
@NullMarked
package com.example.trustmessage.middlewareapi.service;

import org.jspecify.annotations.NullMarked;
