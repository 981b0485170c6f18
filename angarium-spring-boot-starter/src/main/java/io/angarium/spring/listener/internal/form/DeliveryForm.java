package io.angarium.spring.listener.internal.form;

import io.angarium.BusinessKey;
import io.angarium.handler.Delivery;
import org.jspecify.annotations.Nullable;

/** Messages of the own outbox, to a handler. */
final class DeliveryForm implements MessageForm {
  @Override
  public Class<?> type() {
    return Delivery.class;
  }

  @Override
  public @Nullable String id(Object message) {
    return ((Delivery) message).id().toString();
  }

  @Override
  public @Nullable String header(Object message, String name) {
    BusinessKey business = ((Delivery) message).message().business();
    if (business != null && name.equals(BUSINESS_TYPE)) {
      return business.type();
    }
    if (business != null && name.equals(BUSINESS_KEY)) {
      return business.key();
    }
    return ((Delivery) message).message().headers().get(name);
  }

  @Override
  public String idPlace() {
    return "the delivery's id";
  }

  @Override
  public String where(Object message) {
    return "message " + ((Delivery) message).id();
  }
}
