-- The tables of the two applications; those of the outbox are created by Angarium.
CREATE TABLE customer (
  name   VARCHAR(40) PRIMARY KEY,
  orders INT NOT NULL DEFAULT 0
);

INSERT INTO customer (name) VALUES ('Ada'), ('Grace'), ('Li Wei'), ('Mei'), ('Omar');

CREATE TABLE customer_order (
  id        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer  VARCHAR(40) NOT NULL REFERENCES customer,
  order_no  INT NOT NULL,
  item      VARCHAR(40) NOT NULL,
  quantity  INT NOT NULL,
  placed_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  UNIQUE (customer, order_no)
);

-- Lives with another team, normally in a database of its own.
CREATE TABLE stock_movement (
  position   BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id VARCHAR(36) NOT NULL UNIQUE,
  order_id   BIGINT NOT NULL,
  customer   VARCHAR(40) NOT NULL,
  order_no   INT NOT NULL,
  item       VARCHAR(40) NOT NULL,
  quantity   INT NOT NULL,
  booked_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL
);

CREATE INDEX stock_movement_order ON stock_movement (customer, order_no);
