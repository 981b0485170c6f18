/** Tests of applications with Spring Boot: what their transactions published, without a broker. */
@NullMarked
package io.angarium.spring.test;

import org.jspecify.annotations.NullMarked;
