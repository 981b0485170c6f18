CREATE TABLE IF NOT EXISTS stock (
  item     VARCHAR(40) PRIMARY KEY,
  quantity INT NOT NULL
);

-- No unique key: a movement that is booked twice would be seen at the end.
CREATE TABLE IF NOT EXISTS stock_movement (
  order_id BIGINT NOT NULL,
  quantity INT NOT NULL,
  paid_at  TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)
);

INSERT INTO stock (item, quantity)
SELECT fresh.item, 1000000
FROM (SELECT 'apple' AS item UNION ALL SELECT 'pear' UNION ALL SELECT 'plum') AS fresh
WHERE NOT EXISTS (SELECT 1 FROM stock);
