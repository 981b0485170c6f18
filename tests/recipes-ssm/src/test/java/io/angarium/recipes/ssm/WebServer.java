package io.angarium.recipes.ssm;

import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.springframework.core.env.MapPropertySource;
import org.springframework.web.context.ContextLoaderListener;
import org.springframework.web.context.support.XmlWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;

/** What a servlet container does with the web.xml of such an application. */
final class WebServer implements AutoCloseable {
  private final Tomcat tomcat = new Tomcat();
  private final XmlWebApplicationContext root;

  private WebServer(XmlWebApplicationContext root) {
    this.root = root;
  }

  /** Starts the application with what takes the place of its properties file. */
  static WebServer start(Path folder, Map<String, Object> properties) throws LifecycleException {
    WebServer server = new WebServer(root(properties));
    Tomcat tomcat = server.tomcat;
    tomcat.setBaseDir(folder.toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", new File(folder.toUri()).getAbsolutePath());
    context.addServletContainerInitializer(
        (classes, servlet) -> servlet.addListener(new ContextLoaderListener(server.root)), null);
    DispatcherServlet dispatcher = new DispatcherServlet();
    dispatcher.setContextConfigLocation("classpath:spring-mvc.xml");
    Wrapper wrapper = Tomcat.addServlet(context, "dispatcher", dispatcher);
    wrapper.setLoadOnStartup(1);
    context.addServletMappingDecoded("/", "dispatcher");
    tomcat.start();
    if (!context.getState().isAvailable()) {
      throw new IllegalStateException("The application did not start");
    }
    return server;
  }

  private static XmlWebApplicationContext root(Map<String, Object> properties) {
    XmlWebApplicationContext root = new XmlWebApplicationContext();
    root.setConfigLocation("classpath:applicationContext.xml");
    root.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
    return root;
  }

  <T> T bean(Class<T> type) {
    return root.getBean(type);
  }

  int port() {
    return tomcat.getConnector().getLocalPort();
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
