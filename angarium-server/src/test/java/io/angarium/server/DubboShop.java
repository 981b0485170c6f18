package io.angarium.server;

import com.example.trustmessage.middlewareapi.common.MiddlewareMessage;
import com.example.trustmessage.middlewareapi.common.MiddlewareMessage.VerifyInfo;
import com.example.trustmessage.middlewareapi.service.MessageService;
import com.example.trustmessage.middlewareapi.service.VerifyMessageService;
import io.angarium.dubbo.DubboServer;
import io.angarium.dubbo.TrustMessageService;
import io.angarium.testservers.FreePort;
import java.util.List;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** A producer of TrustMessage: calls over Dubbo, and can be asked over Dubbo. */
final class DubboShop implements AutoCloseable {
  /** 127.0.0.1 alone, as Dubbo understands it. */
  static final String LOOPBACK = "2130706433";

  private static final int TIMEOUT_MILLIS = 60_000;

  private final FrameworkModel framework = new FrameworkModel();
  private final int port = freePort();
  private final ReferenceConfig<MessageService> reference;
  private final DubboServer asked;

  /**
   * @param centre where the message centre listens on this machine
   * @param answers to check-backs
   */
  DubboShop(int centre, VerifyMessageService answers) {
    ApplicationModel application = framework.newApplication();
    ApplicationConfig config = new ApplicationConfig(application, "shop");
    config.setQosEnable(false);
    application.getApplicationConfigManager().setApplication(config);
    reference = new ReferenceConfig<>(application.newModule());
    reference.setInterface(MessageService.class);
    reference.setVersion(TrustMessageService.VERSION);
    reference.setUrl("dubbo://" + LOOPBACK + ":" + centre + "?serialization=fastjson2");
    reference.setTimeout(TIMEOUT_MILLIS);
    ProtocolConfig protocol = new ProtocolConfig("dubbo", port);
    protocol.setHost(LOOPBACK);
    asked = DubboServer.open("shop", protocol, List.of()).offer(answers, "1.0.0");
  }

  static int freePort() {
    return FreePort.find();
  }

  /** Connects when it is first called. */
  MessageService centre() {
    return reference.get();
  }

  /** Where it is asked. */
  String address() {
    return address(port);
  }

  static String address(int port) {
    return "dubbo://" + LOOPBACK + ":" + port;
  }

  /** A message whose producer is asked at an address. */
  static MiddlewareMessage message(String key, String topic, String address) {
    MiddlewareMessage message =
        new MiddlewareMessage(
            "paid " + key, key, 1, topic, null, new VerifyInfo(2, null, null, address, "1.0.0"));
    message.setBizID(7);
    return message;
  }

  @Override
  public void close() {
    framework.destroy();
    asked.close();
  }
}
