package com.example.trustmessage.shop;

import com.example.trustmessage.middlewareapi.common.MessageResponse;
import com.example.trustmessage.middlewareapi.common.MiddlewareMessage;
import com.example.trustmessage.middlewareapi.common.MiddlewareMessage.VerifyInfo;
import com.example.trustmessage.middlewareapi.service.MessageService;
import java.lang.reflect.Field;
import java.util.Map;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** A producer with a jar of its own: prints what it is answered. */
public final class Shop {
  private Shop() {}

  /** The address of the service, and the serialization or nothing for Dubbo's own choice. */
  public static void main(String[] arguments) {
    ApplicationConfig application = new ApplicationConfig("shop");
    application.setQosEnable(false);
    application.setCheckSerializable(false); // its classes are not
    DubboBootstrap.getInstance().application(application);
    ReferenceConfig<MessageService> reference = new ReferenceConfig<>();
    reference.setInterface(MessageService.class);
    reference.setVersion("1.0.0");
    reference.setUrl(arguments[0]);
    if (arguments.length > 1) {
      reference.setUrl(arguments[0] + "?serialization=" + arguments[1]);
    }
    reference.setTimeout(60_000); // the machine may be busy
    reference.setParameters(Map.of("connect.timeout", "60000"));
    MessageService service = reference.get();
    print("prepare", service.prepareMessage(message("paid")));
    print("prepare again", service.prepareMessage(message("paid")));
    print("commit", service.commitMessage(message("paid")));
    print("commit again", service.commitMessage(message("paid")));
    print("roll back too late", service.rollBackMessage(message("paid")));
    print("commit unknown", service.commitMessage(message("never heard of")));
    service.prepareMessage(message("given up"));
    print("roll back", service.rollBackMessage(message("given up")));
    print("commit too late", service.commitMessage(message("given up")));
    print("illegal", service.prepareMessage(new MiddlewareMessage()));
    System.exit(0);
  }

  private static MiddlewareMessage message(String key) {
    MiddlewareMessage message = new MiddlewareMessage();
    message.setBizID(7);
    message.setMessageKey(key);
    message.setMessage("s\u00fcd");
    message.setMessageStatus(1);
    message.setForwardTopic("orders");
    message.setForwardKey("customer");
    VerifyInfo info = new VerifyInfo();
    info.setProtocolType(2);
    info.setRegistryProtocol("zookeeper");
    info.setRegistryAddress("127.0.0.1:2181");
    info.setUrl("dubbo://localhost:12346");
    info.setVersion("1.0.0");
    message.setVerifyInfo(info);
    return message;
  }

  private static void print(String call, MessageResponse response) {
    try {
      Field result = MessageResponse.Data.class.getDeclaredField("result");
      result.setAccessible(true);
      System.out.println(
          "> " + call + ": " + response.getCode() + " " + result.get(response.getData()));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
