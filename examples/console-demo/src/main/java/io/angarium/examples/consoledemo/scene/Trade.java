package io.angarium.examples.consoledemo.scene;

/** The names that the shop uses: where its messages go, and what they are called. */
final class Trade {
  static final String ORDERS = "kafka:orders";
  static final String REMINDERS = "kafka:reminders";
  static final String SHIPMENTS = "kafka:shipments";
  static final String NOTES = "kafka:notes";
  static final String INVOICES = "rabbitmq:shop/invoices";
  static final String MAIL = "rabbitmq:shop/mail";
  static final String LABELS = "rabbitmq:shop/labels";
  static final String STOCK = "http:stock";
  static final String STOCK_MISSPELT = "htpp:stock";
  static final String PARTNERS = "http:partners";
  static final String RETURNS = "http:returns";

  static final String ORDER_PLACED = "order-placed";
  static final String ORDER_PAID = "order-paid";
  static final String INVOICE_SENT = "invoice-sent";
  static final String INVOICE_CORRECTED = "invoice-corrected";
  static final String NEWSLETTER = "newsletter";
  static final String STOCK_RESERVED = "stock-reserved";
  static final String STOCK_MOVED = "stock-moved";
  static final String STOCK_COUNTED = "stock-counted";

  private Trade() {}
}
