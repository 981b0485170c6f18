/** Spring, Spring MVC and MyBatis without Spring Boot. */
@NullMarked
package io.angarium.recipes.ssm;

import org.jspecify.annotations.NullMarked;
