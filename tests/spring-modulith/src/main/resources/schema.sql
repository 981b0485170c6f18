CREATE TABLE IF NOT EXISTS customers (name VARCHAR(40) PRIMARY KEY, orders BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS orders (customer VARCHAR(40), number BIGINT, PRIMARY KEY (customer, number));
CREATE TABLE IF NOT EXISTS reservations (customer VARCHAR(40), number BIGINT, PRIMARY KEY (customer, number));
CREATE TABLE IF NOT EXISTS mails (customer VARCHAR(40), number BIGINT, PRIMARY KEY (customer, number));
