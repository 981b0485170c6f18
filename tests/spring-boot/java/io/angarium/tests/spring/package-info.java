/** The starter in whole applications; run on every supported generation of Spring Boot. */
@NullMarked
package io.angarium.tests.spring;

import org.jspecify.annotations.NullMarked;
