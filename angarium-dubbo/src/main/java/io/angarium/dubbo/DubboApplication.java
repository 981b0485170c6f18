package io.angarium.dubbo;

import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;

/** A Dubbo of our own beside the one that the process may have. Thread-safe. */
final class DubboApplication implements AutoCloseable {
  private final FrameworkModel framework;
  private final ModuleModel module;

  private DubboApplication(FrameworkModel framework, ModuleModel module) {
    this.framework = framework;
    this.module = module;
  }

  /**
   * Opens one.
   *
   * @param name how registries and other applications know it
   */
  static DubboApplication open(String name) {
    DubboJson.choose();
    FrameworkModel.defaultModel(); // the first one made is the default for everybody: not ours
    FrameworkModel framework = new FrameworkModel();
    ApplicationModel application = framework.newApplication();
    ApplicationConfig config = new ApplicationConfig(application, name);
    config.setQosEnable(false); // it opens a port for commands
    config.setEnableFileCache(false); // it writes below the home folder
    config.setRegisterMode("interface"); // the other one opens one more port, on all addresses
    application.getApplicationConfigManager().setApplication(config);
    DubboMapping.create(application);
    return new DubboApplication(framework, application.newModule());
  }

  /** Makes an object available to extensions. */
  void share(Object shared) {
    module.getApplicationModel().getBeanFactory().registerBean(shared);
  }

  ModuleModel module() {
    return module;
  }

  /** Ends everything that is offered or referred to. May be called twice. */
  @Override
  public void close() {
    framework.destroy();
  }
}
