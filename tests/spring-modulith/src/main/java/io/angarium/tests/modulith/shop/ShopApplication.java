package io.angarium.tests.modulith.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Three modules on one database. */
@SpringBootApplication
public class ShopApplication {}
