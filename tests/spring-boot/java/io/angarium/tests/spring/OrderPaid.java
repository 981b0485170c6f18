package io.angarium.tests.spring;

/** An event that listeners of the application hear. */
record OrderPaid(String orderId) {}
