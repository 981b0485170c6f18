package io.angarium.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A channel that is open, and silent when it is asked for confirms. */
public final class SilentChannel {
  public static final String SAYS = "no answer in time";

  /** The names of the methods that were called on the channel. */
  public final List<String> calls = new CopyOnWriteArrayList<>();

  /** Its connection, which makes no other channel. */
  public final Connection connection;

  public SilentChannel() {
    Channel channel = fake(Channel.class, this::answer);
    this.connection =
        fake(
            Connection.class,
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "createChannel" -> channel;
                  case "removeBlockedListener" -> true;
                  default -> null;
                });
  }

  @SuppressWarnings("unchecked")
  private static <T> T fake(Class<T> type, InvocationHandler behaviour) {
    return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, behaviour);
  }

  private Object answer(Object proxy, Method method, Object[] arguments) throws IOException {
    calls.add(method.getName());
    if (method.getName().equals("confirmSelect")) {
      throw new IOException(SAYS);
    }
    return method.getName().equals("isOpen") ? true : null;
  }
}
