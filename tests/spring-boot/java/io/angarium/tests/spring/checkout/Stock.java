package io.angarium.tests.spring.checkout;

import org.springframework.jdbc.core.JdbcTemplate;

class Stock {
  private final JdbcTemplate jdbc;

  Stock(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
    jdbc.execute("CREATE TABLE IF NOT EXISTS deducted (id VARCHAR(20) NOT NULL)");
  }

  void deduct(String order) {
    jdbc.update("INSERT INTO deducted (id) VALUES (?)", order);
  }

  long deductions(String order) {
    Long rows =
        jdbc.queryForObject("SELECT COUNT(*) FROM deducted WHERE id = ?", Long.class, order);
    return rows == null ? 0 : rows;
  }
}
