// Where the definitions of the custom resources in k8s/ are taken from: files of these modules, none of their code.
module assay/test/k8s/crds

go 1.24.0

require (
	github.com/kedacore/keda/v2 v2.18.1
	github.com/prometheus-operator/prometheus-operator v0.85.0
)
