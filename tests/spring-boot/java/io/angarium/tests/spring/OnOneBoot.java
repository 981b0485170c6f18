package io.angarium.tests.spring;

import io.angarium.testservers.OnOneJdk;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** As {@link OnBootFour}, and no JDK changes it either. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@OnOneJdk
@OnBootFour
@interface OnOneBoot {}
